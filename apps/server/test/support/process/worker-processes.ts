import { readFile } from 'node:fs/promises'

/** The processes that a process has started, as Linux tells them. */
export async function childrenOf(pid: number | undefined): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.split(' ').filter(Boolean).map(Number)
}

/** Whether it runs; one that has ended and that nobody has asked about does not. */
export async function isAlive(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text !== '' && !/\) Z /.test(text)
}

export async function countAlive(pids: readonly number[]): Promise<number> {
  return (await Promise.all(pids.map(isAlive))).filter(Boolean).length
}
