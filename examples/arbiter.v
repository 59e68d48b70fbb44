// Two clients share a resource. The arbiter lets them in one at a time, and after both have asked, by turns.

typedef enum {IDLE, WAITING, USING} client_state;

module main (clk);
    input clk;
    wire ask_a, ask_b, grant_a, grant_b;

    arbiter arbiter (clk, ask_a, ask_b, grant_a, grant_b);
    client a (.clk(clk), .grant(grant_a), .ask(ask_a));
    client b (.clk(clk), .grant(grant_b), .ask(ask_b));
endmodule

module arbiter (clk, ask_a, ask_b, grant_a, grant_b);
    parameter NOBODY = 2'd0, A = 2'd1, B = 2'd2;
    input clk, ask_a, ask_b;
    output grant_a, grant_b;
    reg [1:0] owner;
    reg last;    // was b the last one?

    assign grant_a = owner == A;
    assign grant_b = owner == B;

    initial begin
        owner = NOBODY;
        last = 0;
    end

    always @(posedge clk) begin
        if (grant_a && !ask_a || grant_b && !ask_b)
            owner = NOBODY;
        if (owner == NOBODY) begin
            if (ask_a && (last || !ask_b)) begin
                owner = A;
                last = 0;
            end
            else if (ask_b) begin
                owner = B;
                last = 1;
            end
        end
    end
endmodule

module client (clk, grant, ask);
    input clk, grant;
    output ask;
    client_state reg state;
    wire goes_on;

    assign ask = state != IDLE;
    assign goes_on = $ND(0, 1);

    initial state = IDLE;

    always @(posedge clk)
        case (state)
            IDLE: if (goes_on) state = WAITING;
            WAITING: if (grant) state = USING;
            USING: if (goes_on) state = IDLE;
        endcase
endmodule
