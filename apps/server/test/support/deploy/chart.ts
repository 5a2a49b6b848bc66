import { createHash } from 'node:crypto'
import { deployFiles, readTop } from './deploy-files.js'

export const chartFolder = 'deploy/helm/parley'
export const manifestsPath = 'deploy/kubernetes/parley.yaml'

/** The chart's templates that become objects, in the order in which they are rendered. */
export function chartTemplates(): readonly string[] {
  return deployFiles('helm/parley/templates').filter((path) => path.endsWith('.yaml'))
}

/** Changes with everything that a rendering is made of. */
function chartHash(): string {
  const hash = createHash('sha256')
  for (const path of [`${chartFolder}/Chart.yaml`, `${chartFolder}/values.yaml`, ...chartTemplates()])
    hash.update(path).update(readTop(path))
  return hash.digest('hex')
}

/** What a file of manifests begins with: where it comes from, and of which chart it was rendered. */
export function manifestsHeader(): string {
  return [
    '# Rendered from deploy/helm/parley with its values as they are, by `npm run check:deploy -- --update`: for those who do',
    '# without Helm. Put in your image, address and networks; make the namespace and the Secret first (docs/guide/deploying.md).',
    `# chart ${chartHash()}`,
    '',
  ].join('\n')
}
