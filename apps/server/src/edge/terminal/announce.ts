import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../../config/config.js'
import type { AnsweringModel } from '../../domain/first-start/answering-model.js'
import type { FirstStart } from '../../domain/first-start/first-start.js'
import { describeModel } from './describe-model.js'
import { describeFirstStart, describeStart, styleFor } from './welcome.js'

export interface Terminal {
  readonly isTTY: boolean
  write(text: string): void
}

/**
 * Shows the operator where the service is, and at the first start how to reach it. Beside a server database and
 * without a terminal, somebody else keeps what is printed: then the key goes to a file that its owner alone can read.
 */
export async function announce(
  terminal: Terminal,
  config: Config,
  {
    version,
    firstStart,
    answering,
  }: {
    readonly version: string
    readonly firstStart: FirstStart | null
    readonly answering: AnsweringModel | null
  },
): Promise<void> {
  const { publicUrl, database, bootstrap } = config
  const style = styleFor(terminal.isTTY)
  const storage =
    database.kind === 'embedded' ? `${resolve(database.dataDir)} (embedded database)` : 'PostgreSQL'
  const model = describeModel(answering, config)
  terminal.write(describeStart({ version, publicUrl, storage, model }, style))
  if (firstStart === null) return
  const isKeyGiven = bootstrap.apiKey !== null
  const isOperatorsAlone = database.kind === 'embedded' || terminal.isTTY
  const describe = (isKept: boolean) =>
    describeFirstStart(firstStart, { publicUrl, isKeyGiven, isKept }, style)
  if (isOperatorsAlone || isKeyGiven) {
    terminal.write(describe(!isOperatorsAlone))
    return
  }
  const text = describe(false)
  const path = join(resolve(database.dataDir), 'first-start.txt')
  try {
    await writeForOwner(path, text)
    terminal.write(`    Your organization and key are in ${path}\n\n`)
  } catch (error) {
    // Only a hash of the key is stored: kept nowhere else it would be lost, and with it the way in.
    const reason = error instanceof Error ? error.message : String(error)
    terminal.write(`    ${path} cannot be written (${reason}), so this stands here:\n\n${text}`)
  }
}

async function writeForOwner(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, text, { mode: 0o600 })
  await chmod(path, 0o600)
}
