import { once } from 'node:events'
import WebSocket from 'ws'

/** Runs the garbage collector of a process, so that only live objects remain in its heap. */
export async function collectGarbage(inspectorUrl: string): Promise<void> {
  const socket = new WebSocket(inspectorUrl)
  await once(socket, 'open')
  // The second pass collects objects that finalizers released in the first.
  for (const id of [1, 2]) {
    socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }))
    await once(socket, 'message')
  }
  socket.close()
  await once(socket, 'close')
}
