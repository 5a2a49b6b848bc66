import { Part } from '../processes/part.js'
import type { LoadSide, SideReport } from './load-side.js'

/** What both sides of the load are told. */
export type LoadCommand =
  | { readonly command: 'stream'; readonly framesPerSecond: number }
  | { readonly command: 'mark' }
  | { readonly command: 'report' }
  | { readonly command: 'stop' }

/** What each side is told before anything else. */
export type ClientCommand = LoadCommand | { readonly command: 'open'; readonly urls: readonly string[] }
export type ProviderCommand = LoadCommand | { readonly command: 'listen' }

export type LoadAnswer = SideReport | { readonly port: number } | null

export const startClients = () =>
  new Part<ClientCommand, LoadAnswer>(new URL('./client-process.js', import.meta.url))

export const startProvider = () =>
  new Part<ProviderCommand, LoadAnswer>(new URL('./provider-process.js', import.meta.url))

/** Does what both sides do alike. */
export function obey(side: LoadSide, command: LoadCommand): LoadAnswer {
  switch (command.command) {
    case 'stream':
      side.stream(command.framesPerSecond)
      return null
    case 'mark':
      side.mark()
      return null
    case 'report':
      return side.report()
    case 'stop':
      side.stop()
      return null
  }
}
