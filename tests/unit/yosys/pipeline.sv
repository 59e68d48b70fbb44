// Two registers in a row, each a module of its own: one clock under several names.
module pipeline (
    input  logic clk,
    input  logic stop,
    input  logic in,
    output logic out
);
  logic middle, before = 0, long_before = 0;
  register first (.clk, .in(in), .out(middle));
  register second (.clk, .in(middle), .out(out));
  always_ff @(posedge clk) begin
    before <= in;
    long_before <= before;
  end
  always_comb begin
    late : assert (out == long_before);
    too_early : assert (out == before);
  end
endmodule

module register (
    input  logic clk,
    input  logic in,
    output logic out
);
  initial out = 0;
  always_ff @(posedge clk) out <= in;
  always_comb begin
    assert (out == 0 || out == 1);
  end
endmodule
