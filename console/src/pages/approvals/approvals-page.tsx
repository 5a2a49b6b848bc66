import { PageFrame } from '../../parts/page-frame'

export function ApprovalsPage() {
  return <PageFrame title="Approvals">{null}</PageFrame>
}
