import type { FileRecord, FoundPassage } from '../../ports/conversation-stores.js'
import type { Stores } from '../../ports/database.js'
import { storable } from '../storable-text.js'

const readTogether = 100
const maxFound = 40
/** The share of the budget for the beginnings of the files if no passage matches the question. */
const beginningsShare = 0.25

/** Returns all passages of these files, or null if they exceed the budget. */
export async function everyPassage(
  stores: Stores,
  files: readonly FileRecord[],
  budgetCharacters: number,
): Promise<readonly FoundPassage[] | null> {
  if (files.reduce((total, file) => total + file.characterCount, 0) > budgetCharacters) return null
  const all: FoundPassage[] = []
  for (const { id } of files) {
    for (let from = 0; ; from += readTogether) {
      const some = await stores.files.passages(id, from, readTogether)
      all.push(...some.map((passage) => ({ ...passage, fileId: id })))
      if (some.length < readTogether) break
    }
  }
  return all
}

/**
 * Selects passages within the budget: those that match the question, their neighbors, and the beginning of
 * each file.
 */
export async function choosePassages(
  stores: Stores,
  files: readonly FileRecord[],
  question: string,
  budgetCharacters: number,
): Promise<readonly FoundPassage[]> {
  const room = new Room(files, budgetCharacters)
  const ids = files.map(({ id }) => id)
  const found = await stores.files.searchPassages(ids, storable(question), maxFound)
  const beginnings = await passagesAt(
    stores,
    ids.map((fileId) => ({ fileId, position: 0 })),
  )
  // The best passage is added first, because there may be room for only one.
  room.add(found.slice(0, 1), budgetCharacters)
  room.add(beginnings, budgetCharacters)
  room.add(found, budgetCharacters)
  if (found.length > 0) {
    const next = found.slice(0, 5).map(({ fileId, position }) => ({ fileId, position: position + 1 }))
    room.add(await passagesAt(stores, next), budgetCharacters)
    return room.chosen
  }
  for (const fileId of ids) {
    const following = await stores.files.passages(fileId, 1, readTogether)
    const share = (budgetCharacters * beginningsShare) / ids.length
    room.add(
      following.map((passage) => ({ ...passage, fileId })),
      room.used + share,
    )
  }
  return room.chosen
}

async function passagesAt(
  { files }: Stores,
  wanted: readonly Pick<FoundPassage, 'fileId' | 'position'>[],
): Promise<FoundPassage[]> {
  const found: FoundPassage[] = []
  for (const { fileId, position } of wanted) {
    const [passage] = await files.passages(fileId, position, 1)
    if (passage?.position === position) found.push({ ...passage, fileId })
  }
  return found
}

/** The selected passages without duplicates, and the remaining budget. */
class Room {
  readonly chosen: FoundPassage[] = []
  readonly #files: ReadonlyMap<string, FileRecord>
  readonly #budgetCharacters: number
  readonly #keys = new Set<string>()
  #used = 0

  constructor(files: readonly FileRecord[], budgetCharacters: number) {
    this.#files = new Map(files.map((file) => [file.id, file]))
    this.#budgetCharacters = budgetCharacters
  }

  get used(): number {
    return this.#used
  }

  /** Adds passages until the next one does not fit. */
  add(passages: readonly FoundPassage[], upToCharacters: number): void {
    for (const passage of passages) {
      const key = `${passage.fileId}:${passage.position}`
      const file = this.#files.get(passage.fileId)
      if (!file || this.#keys.has(key)) continue
      const used = this.#used + blockLength(file, passage)
      if (used > Math.min(upToCharacters, this.#budgetCharacters)) return
      this.#keys.add(key)
      this.#used = used
      this.chosen.push(passage)
    }
  }
}

const maxListed = 8

/**
 * Returns the best passages in a conversation's files as text for the model. Returns a message if there are
 * no files or no matches.
 */
export async function searchConversationFiles(
  stores: Stores,
  conversationId: string,
  query: string,
  at: string,
): Promise<string> {
  const files = await stores.files.ofConversation(conversationId, at)
  if (files.length === 0) return 'This conversation has no files.'
  const names = files.map(({ name }) => name).join(', ')
  const readable = files.filter(({ characterCount }) => characterCount > 0)
  if (readable.length === 0) return `The files in this conversation contain no searchable text: ${names}.`
  const ids = readable.map(({ id }) => id)
  const found = await stores.files.searchPassages(ids, storable(query), maxListed)
  if (found.length === 0) return `Nothing was found in the files of this conversation: ${names}.`
  return passageBlocks(readable, found)
}

/** The text of a file, or a part of it, for a prompt. */
interface Block {
  readonly fileId: string
  readonly label: string | null
  readonly content: string
  readonly lastPosition: number
}

/** The number of characters in a block, excluding its text. */
const blockOverhead = '<passage file="" place="">\n\n</passage>\n'.length

/** Returns the length of a passage in `passageBlocks`, excluding escapes. */
function blockLength({ name }: FileRecord, { label, content }: Pick<FoundPassage, 'label' | 'content'>) {
  return blockOverhead + name.length + (label?.length ?? 0) + content.length
}

/**
 * Formats passages for a model: files in the given order, passages in file order, and adjacent passages
 * joined. Text in a file can neither close its block nor open another one.
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

/** Formats as many file names as fit into this number of characters, for a model. */
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

/**
 * The pattern matches white space in only one position. With two adjacent positions, a long run of spaces
 * would take quadratic time.
 */
function harmless(content: string): string {
  return content.replaceAll(/<(?=\s*(?:\/\s*)?(?:files|passage)\b)/gi, '&lt;')
}

function attribute(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '').replaceAll(/\s/g, ' ')
}
