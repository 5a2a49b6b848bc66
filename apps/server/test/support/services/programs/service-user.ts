export interface ServiceUser {
  readonly uid: number
  readonly gid: number
}

/**
 * Returns "nobody" under root, because PostgreSQL refuses to run as root. Otherwise returns the current user.
 */
export function findServiceUser(): ServiceUser | undefined {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined
}
