module bound (input clk, output reg [3:0] count);
  initial count = 0;
  always @(posedge clk) count <= count == 9 ? 0 : count + 1;
  always @(posedge clk) small: assert (count < 10);
endmodule

module rules (input clk, input [3:0] count);
  always @(posedge clk) smaller: assert (count < 10);
endmodule

// bind bound rules in_a_comment (.*);
bind bound: top rules #() checked (
  .clk(clk), .count(count)
);
