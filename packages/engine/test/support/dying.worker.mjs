import { parentPort } from 'node:worker_threads'

// Answers once and exits at the second job.
let count = 0
parentPort.on('message', (order) => {
  if (order.kind === 'end') process.exit()
  count += 1
  if (count > 1) process.exit(1)
  parentPort.postMessage({ kind: 'result', id: order.id, value: order.input })
})
