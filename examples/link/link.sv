// What a sender and a receiver may rely on: one value is followed through the buffer.
module link #(parameter WIDTH = 4) (
    input logic             clk,
    input logic             reset,
    input logic             valid,
    input logic [WIDTH-1:0] data,
    input logic             taken
);
  logic ready, arrives;
  logic [WIDTH-1:0] arrived;
  skid_buffer #(.WIDTH(WIDTH)) u_skid (clk, reset, valid, ready, data, arrives, taken, arrived);

  // The sender waits: it changes nothing before `ready`.
  logic waits = 0;
  logic [WIDTH-1:0] sent;
  always_ff @(posedge clk) begin
    waits <= valid && !ready && !reset;
    sent  <= data;
    if (waits) patient: assume (valid && data == sent);
  end

  // The number of values inside, and the first of them.
  logic inside = 0;
  logic [WIDTH-1:0] first;
  always_ff @(posedge clk) begin
    if (reset) inside <= 0;
    else begin
      inside <= inside + (valid && ready) - (arrives && taken);
      if (valid && ready) first <= data;
    end
  end

  always_ff @(posedge clk) begin
    if (!reset) begin
      nothing_is_lost: assert (!inside || (arrives && arrived == first));
      nothing_is_invented: assert (!arrives || inside || (valid && arrived == data));
      taken_again_and_again: assume (s_eventually taken);
      everything_passes: assert (s_eventually (!inside));
    end
    full: cover (inside && valid && !reset);
    drained: cover (waits && ready);
  end
endmodule
