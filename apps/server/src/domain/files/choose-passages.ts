import type { Stores } from '../../ports/database.js'
import type { FileRecord, FoundPassage } from '../../ports/file-store.js'
import { storable } from '../storable-text.js'
import { blockLength } from './passage-blocks.js'

const readTogether = 100
const maxFound = 40
/** Where nothing answers the question, how much of the room the files' beginnings get. */
const beginningsShare = 0.25

/** Every passage of these files; null where they turn out to be longer than the budget. */
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

/** What of these files fits and serves best: what answers the question, what stands next to it, how each begins. */
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
  // The best answer goes before anything else, should there be room for one passage only.
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

/** The passages that were chosen, each once, and the room that is left. */
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

  /** Adds passages until one has no room any more. */
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
