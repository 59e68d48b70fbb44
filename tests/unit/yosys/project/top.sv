// The design of two files: the bound of the assertion is a macro.
module top #(parameter WIDTH = 4) (input clk, input [WIDTH-1:0] new_value);
  wire [WIDTH-1:0] kept;
  keeper #(.WIDTH(WIDTH)) u_keeper (clk, new_value, kept);
  always @(posedge clk) small: assert (kept < `BOUND);
endmodule
