import type { VertexProject } from '@parley/contract'

/** Returns the version in a model's name, such as 2.5. Unknown models count as newer than all others. */
function versionOf(model: string): number {
  const [, version] = /gemini-(?:live-)?(\d+(?:\.\d+)?)/.exec(model) ?? []
  return version === undefined ? Number.POSITIVE_INFINITY : Number(version)
}

/**
 * Whether text goes into `clientContent` during a session. Newer models accept that only before their first answer, and
 * close the session later.
 */
export const takesContentAnytime = (model: string) => versionOf(model) < 3

/** Returns the resource name of a model. */
export const resourceName = (model: string) => (model.includes('/') ? model : `models/${model}`)

/** Returns the resource names of models in a project of Vertex AI. Models without a publisher are those of Google. */
export const vertexResourceName =
  ({ resource }: VertexProject) =>
  (model: string): string => {
    if (model.startsWith('projects/')) return model
    const name = model.replace(/^models\//, '')
    return `${resource}/${name.startsWith('publishers/') ? name : `publishers/google/models/${name}`}`
  }
