import type { FastifyRequest } from 'fastify'
import type { IfMatch } from '../../../domain/resources/resource.js'

export function etagOf(version: number): string {
  return `"${version}"`
}

/** The versions in If-Match; a weak prefix is ignored, and what is no version matches none. */
export function ifMatchOf(request: FastifyRequest): IfMatch {
  const header = request.headers['if-match']
  if (header === undefined) return null
  return header.split(',').map((part) => {
    const tag = part.trim()
    return tag === '*' ? tag : (/^(?:W\/)?"([^"]*)"$/.exec(tag)?.[1] ?? '')
  })
}
