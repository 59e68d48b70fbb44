// One register, whose bits a macro masks.
module keeper #(parameter WIDTH = 2) (input clk, input [WIDTH-1:0] new_value, output reg [WIDTH-1:0] kept);
  initial kept = 0;
  always @(posedge clk) kept <= new_value & `MASK;
  always @(posedge clk) is_three: cover (kept == 3);
endmodule
