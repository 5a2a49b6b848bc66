import type { FileRecord, FoundPassage } from '../../ports/file-store.js'

/** A file's text, or a part of it, as it stands in a prompt. */
interface Block {
  readonly fileId: string
  readonly label: string | null
  readonly content: string
  readonly lastPosition: number
}

/** What a block costs besides its words. */
const blockOverhead = '<passage file="" place="">\n\n</passage>\n'.length

/** At most how many characters a passage takes in `passageBlocks`, but for what is escaped in it. */
export function blockLength(
  { name }: FileRecord,
  { label, content }: Pick<FoundPassage, 'label' | 'content'>,
) {
  return blockOverhead + name.length + (label?.length ?? 0) + content.length
}

/**
 * Passages as a model is shown them: the files in the order given, each file's passages in theirs, neighbours joined.
 * Nothing in a file can end its block or begin another.
 */
export function passageBlocks(
  files: readonly Pick<FileRecord, 'id' | 'name'>[],
  passages: readonly FoundPassage[],
): string {
  const blocks = files.flatMap(({ id, name }) =>
    joined(passages.filter(({ fileId }) => fileId === id)).map(
      ({ label, content }) =>
        `<passage file="${attribute(name)}"${label === null ? '' : ` place="${attribute(label)}"`}>\n${harmless(content.trim())}\n</passage>\n`,
    ),
  )
  return `<files>\n${blocks.join('')}</files>`
}

/** The names of files as a model is shown them, as many as that many characters hold. */
export function nameBlock(files: readonly Pick<FileRecord, 'name'>[], maxCharacters: number): string {
  const lines: string[] = []
  let room = maxCharacters
  for (const { name } of files) {
    const line = `<file name="${attribute(name)}"/>\n`
    room -= line.length
    if (room < 0) break
    lines.push(line)
  }
  const left = files.length - lines.length
  return `<files>\n${lines.join('')}${left > 0 ? `and ${left} more\n` : ''}</files>`
}

function joined(passages: readonly FoundPassage[]): Block[] {
  const blocks: Block[] = []
  for (const passage of [...passages].sort((one, other) => one.position - other.position)) {
    const last = blocks.at(-1)
    const { fileId, label, content, position } = passage
    if (last?.label === label && last.lastPosition + 1 === position)
      blocks[blocks.length - 1] = { ...last, content: last.content + content, lastPosition: position }
    else if (last?.lastPosition !== position) blocks.push({ fileId, label, content, lastPosition: position })
  }
  return blocks
}

/** White space in one place of the pattern alone: in two beside each other a long run of it takes the square of its length. */
function harmless(content: string): string {
  return content.replaceAll(/<(?=\s*(?:\/\s*)?(?:files|passage)\b)/gi, '&lt;')
}

function attribute(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '').replaceAll(/\s/g, ' ')
}
