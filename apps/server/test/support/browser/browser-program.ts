import { join } from 'node:path'
import { findInstallation } from '../services/programs/find-installation.js'
import { commandIn, type Installation } from '../services/programs/installation.js'
import { wantedPrograms } from '../services/programs/wanted-programs.js'

/** The browser of this run. Tests without a browser also run on machines that cannot have one. */
export type BrowserProgram =
  | {
      readonly ok: true
      readonly path: string
      readonly environment: Readonly<Record<string, string>>
      readonly description: string
    }
  | { readonly ok: false; readonly problem: string }

const wanted = wantedPrograms.chromium

export async function findBrowserProgram(say: (line: string) => void): Promise<BrowserProgram> {
  const path = process.env[wanted.setting]
  if (path) return { ok: true, path, environment: {}, description: `${path} (set by ${wanted.setting})` }
  try {
    const { installation, description } = await findInstallation(wanted, say)
    return { ok: true, ...startOf(installation), description }
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) }
  }
}

function startOf(installation: Installation) {
  if (installation.kind === 'image') throw new Error('A browser in a container cannot be driven from here.')
  const path = join(installation.programs, installation.program ?? wanted.probe)
  return { path, environment: commandIn(installation, []).environment }
}
