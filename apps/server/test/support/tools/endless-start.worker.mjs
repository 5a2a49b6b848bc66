// A worker that never becomes ready: it blocks in an endless loop before its first message.
for (;;);
