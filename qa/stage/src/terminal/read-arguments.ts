import { type ParseArgsConfig, parseArgs } from 'node:util'

/** Parses the command line. Prints the usage and exits if an option is unknown. */
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
