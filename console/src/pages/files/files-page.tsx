import { PageFrame } from '../../parts/page-frame'

export function FilesPage() {
  return <PageFrame title="Files">{null}</PageFrame>
}
