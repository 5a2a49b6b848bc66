import { type ConnectOptions, startVoice as startAnywhere } from '../realtime/connect.js'
import type { Voice } from '../realtime/voice.js'
import { servedDefaults } from './served-defaults.js'

export * from '../realtime/index.js'

export async function connect(options: ConnectOptions): Promise<Voice> {
  const voice = startVoice(options)
  await voice.ready
  return voice
}

export function startVoice(options: ConnectOptions): Voice {
  return startAnywhere({ ...servedDefaults, ...options })
}
