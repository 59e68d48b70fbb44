// A skid buffer: `ready` comes from a register, and what arrives in the moment in which it falls is kept.
module skid_buffer #(parameter WIDTH = 4) (
    input  logic             clk,
    input  logic             reset,
    input  logic             in_valid,
    output logic             in_ready,
    input  logic [WIDTH-1:0] in_data,
    output logic             out_valid,
    input  logic             out_ready,
    output logic [WIDTH-1:0] out_data
);
  logic             kept_valid = 0;
  logic [WIDTH-1:0] kept;

  assign in_ready  = !kept_valid;
  assign out_valid = in_valid || kept_valid;
  assign out_data  = kept_valid ? kept : in_data;

  always_ff @(posedge clk) begin
    if (reset) kept_valid <= 0;
`ifdef BUG
    else if (in_valid && !out_ready) kept_valid <= 1;
`else
    else if (in_valid && in_ready && !out_ready) kept_valid <= 1;
`endif
    else if (out_ready) kept_valid <= 0;
`ifdef BUG
    kept <= in_data;
`else
    if (in_ready) kept <= in_data;
`endif
  end
endmodule
