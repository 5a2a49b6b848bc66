import { parentPort } from 'node:worker_threads'

// Answers what it is given, but for one word that it never comes back from; asked to end, it does.
parentPort.on('message', (order) => {
  if (order.kind === 'end') process.exit()
  if (order.input === 'hang') return
  parentPort.postMessage({ kind: 'result', id: order.id, value: order.input })
})
