// A queue of four places in a ring, and what must be true of it.
module fifo (
    input  logic       clk,
    input  logic       reset,
    input  logic       push,
    input  logic       pop,
    input  logic [1:0] in,
    output logic [1:0] out,
    output logic       full,
    output logic       empty
);
  logic [1:0] places[4];
  logic [1:0] head = 0, tail = 0;
  logic [2:0] count = 0;

  assign full  = count == 4;
  assign empty = count == 0;
  assign out   = places[head];

  wire pushes = push && !full;
  wire pops = pop && !empty;

  always_ff @(posedge clk) begin
    if (reset) begin
      head  <= 0;
      tail  <= 0;
      count <= 0;
    end else begin
      if (pushes) begin
        places[tail] <= in;
        tail <= tail + 1;
      end
      if (pops) head <= head + 1;
      count <= count + pushes - pops;
    end
  end

  // One value is followed through the queue: where it is, if it is there.
  logic       watched = 0;
  logic [1:0] at = 0;
  always_ff @(posedge clk) begin
    if (reset || (pops && head == at)) watched <= 0;
    else if (pushes && in == 3 && !watched) begin
      watched <= 1;
      at <= tail;
    end
  end

  always_comb begin
    nobody_asks_while_resetting : assume (!(reset && (push || pop)));
    never_too_many : assert (count <= 4);
    what_went_in_comes_out : assert (!watched || places[at] == 3);
    assert (!full);
  end

  always_ff @(posedge clk) begin
    ends_agree : assert (tail - head == count[1:0]);
  end
endmodule
