/**
 * The address of a page of the console with what a browser came with. As one text that reads as nothing else: the page's
 * router would take a bare `1e5` for a number, and change it.
 */
export function consoleAddress(publicUrl: string, page: string, query: string): string {
  return `${publicUrl}/#/${page}?with=q.${Buffer.from(query).toString('base64url')}`
}
