import { parentPort } from 'node:worker_threads'

// Returns its input, but hangs on the word `hang`. Exits when asked to end.
parentPort.on('message', (order) => {
  if (order.kind === 'end') process.exit()
  if (order.input === 'hang') return
  parentPort.postMessage({ kind: 'result', id: order.id, value: order.input })
})
