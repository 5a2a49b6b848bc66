import { type Attack, scaled, tally } from '../stage.js'

const bytes = 18_000_000

const texts: readonly ((size: number) => string)[] = [
  (size) => '# \n'.repeat(size / 3),
  (size) => `# ${'#'.repeat(size)}x`,
  (size) => `# ${'# '.repeat(2000)}x\n`.repeat(size / 4004),
  (size) => '# A\nb\n'.repeat(size / 6),
]

export const markdown: Attack = {
  name: 'markdown',
  about: 'uploads 18 MB of empty and very long headings, and leaves before half of the answers',
  async run({ attacker, scale }) {
    const size = scaled(bytes, scale)
    const uploads = texts.flatMap((textOf) => {
      const text = textOf(size)
      return [attacker.upload('a.md', 'text/markdown', text), leave(text)]
    })
    return tally((await Promise.all(uploads)).map(({ status }) => (status === 0 ? 'left' : status)))

    function leave(text: string) {
      return attacker.upload('b.md', 'text/markdown', text, AbortSignal.timeout(500))
    }
  },
}
