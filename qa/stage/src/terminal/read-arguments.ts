import { type ParseArgsConfig, parseArgs } from 'node:util'

/** What a command was asked for; one that does not know an option says so, how it is called, and ends. */
export function readArguments<const T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (cause) {
    console.error(`${cause instanceof Error ? cause.message : String(cause)}\n\n${usage}`)
    process.exit(2)
  }
}
