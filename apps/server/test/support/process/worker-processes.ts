import { readFile } from 'node:fs/promises'

/** The child processes of a process, as Linux lists them. */
export async function childrenOf(pid: number | undefined): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.split(' ').filter(Boolean).map(Number)
}

/** Returns whether a process runs. A zombie process does not. */
export async function isAlive(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text !== '' && !/\) Z /.test(text)
}

export async function countAlive(pids: readonly number[]): Promise<number> {
  return (await Promise.all(pids.map(isAlive))).filter(Boolean).length
}
