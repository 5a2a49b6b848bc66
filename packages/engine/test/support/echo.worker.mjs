import { parentPort } from 'node:worker_threads'

// Does everything it is asked, one thing after the other.
parentPort.on('message', (order) => {
  if (order.kind === 'end') process.exit()
  parentPort.postMessage({ kind: 'result', id: order.id, value: order.input })
})
