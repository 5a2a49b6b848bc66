import { PageFrame } from '../../parts/page-frame'

export function MembersPage() {
  return <PageFrame title="Members">{null}</PageFrame>
}
