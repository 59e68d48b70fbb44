// A register that is an output of the design.
module port(input logic clk, input logic rst, input logic [1:0] a, output logic [3:0] q);
  always_ff @(posedge clk) if (rst) q <= 0; else q <= q + a;
  always @(posedge clk) assert (q < 15);
endmodule
