# Properties of arbiter.v, in the syntax of VIS.

\define A_WAITS a.state=WAITING
\define B_WAITS b.state=WAITING

#PASS: the resource has one user at most.
AG !(a.state=USING * b.state=USING);

#PASS: nobody waits for ever, as long as nobody keeps the resource for ever.
AG(\A_WAITS -> AF a.state=USING);
AG(\B_WAITS -> AF b.state=USING);

#FAIL: b may never ask.
AF b.state=USING;

#PASS: an owner is a client.
AG arbiter.owner[1:0]={0,1,2};
