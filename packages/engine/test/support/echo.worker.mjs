import { parentPort } from 'node:worker_threads'

// Returns the input of each job, in order.
parentPort.on('message', (order) => {
  if (order.kind === 'end') process.exit()
  parentPort.postMessage({ kind: 'result', id: order.id, value: order.input })
})
