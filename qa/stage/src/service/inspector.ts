import { once } from 'node:events'
import WebSocket from 'ws'

/** Has the process collect its garbage, so that what is left in its heap is what it holds on to. */
export async function collectGarbage(inspectorUrl: string): Promise<void> {
  const socket = new WebSocket(inspectorUrl)
  await once(socket, 'open')
  // What finalizers release in the first pass is collected in the second.
  for (const id of [1, 2]) {
    socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }))
    await once(socket, 'message')
  }
  socket.close()
  await once(socket, 'close')
}
