export interface ServiceUser {
  readonly uid: number
  readonly gid: number
}

/** "nobody" where we are root, which PostgreSQL refuses to run as; otherwise whoever we are. */
export function findServiceUser(): ServiceUser | undefined {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined
}
