// Every kind of statement; what is asked only now and then owes an answer until it comes.
module statements (input clk, input rst, input tick, input [3:0] load, output reg [3:0] count);
  initial count = 0;
  always @(posedge clk) begin
    if (rst) count <= 0;
    else if (tick) count <= count + 1;
    if (!rst) begin
      five: cover (count == 5);
      wraps: assert (s_eventually (count == 0));
    end
    cover (count == 4'd9 && tick);
    never: cover (count == 3 && load > 2);
    if (count == 3) moves: assume (s_eventually tick);
    if (count != 3) ticks: assume (s_eventually tick);
    leaves_three: assert (s_eventually (count != 3));
    stays_low: assert (count < 9);
    small: assume (load < 3);
  end
endmodule
