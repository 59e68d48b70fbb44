// Wires that nothing drives, values that are chosen freely, and an instance with claims of its own.
module open_wires (input clk, input [3:0] addend);
  wire [3:0] total;
  wire open;
  reg [1:0] steps;
  (* anyconst *) reg [3:0] goal;
  (* anyseq *) reg chosen;
  adder u_adder (clk, addend, total);
  always @(posedge clk) begin
    steps <= steps + open;
    apart: assert (steps != 2 || total != goal);
    never_both: assert (!(chosen && open && goal == 3));
  end
endmodule

module adder (input clk, input [3:0] addend, output reg [3:0] total);
  initial total = 0;
  wire [3:0] sum = total + addend;
  always @(posedge clk) begin
    total <= sum;
    if (addend != 3) is_not_nine: assert (sum != 9);
    small: assume (addend < 4);
  end
endmodule
