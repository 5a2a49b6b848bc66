import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'

/** Values that must satisfy a type of a package in `test/vendor-clients`. */
export interface TypedValues {
  /** The type as TypeScript. `Part<T>` is `T` with all fields optional, at every depth. */
  readonly type: string
  readonly values: readonly object[]
}

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', 'node']

/**
 * Returns what the compiler says against the values, or an empty text. Only for tests of the kind `vendor`. The packages
 * are not among those of the repository, so the compiler cannot check the tests themselves against their types.
 */
export async function typeErrors(imports: string, checked: readonly TypedValues[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-vendor-types-'))
  try {
    await symlink(join(inject('vendorClients'), 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const lines = checked.flatMap(({ type, values }) =>
      [...new Set(values.map((value) => JSON.stringify(value)))].map(
        (json) => `;(${json}) satisfies ${type}`,
      ),
    )
    const part =
      'type Part<T> = T extends readonly (infer E)[] ? Part<E>[] : T extends object ? { [K in keyof T]?: Part<T[K]> } : T'
    await writeFile(join(folder, 'values.ts'), [imports, `export ${part}`, ...lines, ''].join('\n'))
    return await compile(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function compile(cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, ...options, 'values.ts'], { cwd }, (error, stdout, stderr) =>
      resolve(error === null ? '' : `${stdout}${stderr}` || error.message),
    )
  })
}
