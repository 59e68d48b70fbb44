// Two clocks look at one wire: with a single clock, both registers would always be equal.
module two_clocks (
    input  logic fast,
    input  logic slow,
    input  logic in,
    output logic one,
    output logic other
);
  initial one = 0;
  initial other = 0;
  always_ff @(posedge fast) one <= in;
  always_ff @(negedge slow) other <= in;
  always_comb begin
    equal : assert (one == other);
  end
endmodule
