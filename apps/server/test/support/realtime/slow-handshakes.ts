import type { ScriptedProvider } from './scripted-provider.js'

/**
 * Keeps every handshake of the provider waiting. `reached` settles with the first one, and `accept` accepts
 * all.
 */
export function keepWaiting(provider: Pick<ScriptedProvider, 'onUpgrade'>) {
  let accept: () => void = () => undefined
  const gate = new Promise<'accept'>((resolve) => {
    accept = () => resolve('accept')
  })
  const reached = new Promise<void>((resolve) => {
    provider.onUpgrade(() => {
      resolve()
      return gate
    })
  })
  return { accept, reached }
}

/** Makes the provider never answer a handshake. `left` settles when the service aborts it. */
export function neverAnswer(provider: Pick<ScriptedProvider, 'onUpgrade'>) {
  let left: () => void = () => undefined
  const gone = new Promise<void>((resolve) => {
    left = resolve
  })
  const reached = new Promise<void>((resolve) => {
    provider.onUpgrade((_, socket) => {
      socket.once('end', left).resume()
      resolve()
      return 'handled'
    })
  })
  return { reached, left: gone }
}
