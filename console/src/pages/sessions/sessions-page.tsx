import { PageFrame } from '../../parts/page-frame'

export function SessionsPage() {
  return <PageFrame title="Sessions">{null}</PageFrame>
}
