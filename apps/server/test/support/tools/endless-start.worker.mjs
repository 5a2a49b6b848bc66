// Never ready: it computes before it has said anything.
for (;;);
