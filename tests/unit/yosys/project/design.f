// The files of the design, as simulators read them.
+define+MASK=15+BOUND=9
top.sv
rtl/keeper.sv   # the register
-top top
