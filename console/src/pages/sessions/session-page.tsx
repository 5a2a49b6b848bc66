import { PageFrame } from '../../parts/page-frame'

export function SessionPage() {
  return <PageFrame title="Session">{null}</PageFrame>
}
