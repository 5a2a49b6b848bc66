import { StringDecoder } from 'node:string_decoder'

const maxLineLength = 2000

/** Cuts what a process writes into lines; of a very long line only the beginning is kept. */
export function makeLineReader(onLine: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return (chunk) => {
    const lines = `${rest}${decoder.write(chunk)}`.split(/\r?\n/)
    rest = (lines.pop() ?? '').slice(0, maxLineLength)
    for (const line of lines) if (line.trim() !== '') onLine(line.slice(0, maxLineLength))
  }
}
