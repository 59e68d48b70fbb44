// Liveness and covers in two instances, and a claim of a module that nobody instantiates, which is left out.
module left_out (input clk, input [1:0] go);
  part #(.WIDTH(2), .LIVE(0)) wide (clk, go);
  part narrow (clk, go[0]);
endmodule

module part #(parameter WIDTH = 1, parameter LIVE = 1) (input clk, input [WIDTH-1:0] go);
  reg [WIDTH-1:0] last = 0;
  always @(posedge clk) begin
    last <= go;
    if (LIVE) comes: assert (s_eventually last == 0);
    seen: cover (last == 0);
    same: assert (last == last);
  end
endmodule

module alone (input clk, input go);
  always @(posedge clk) wrong: assert (go);
endmodule
