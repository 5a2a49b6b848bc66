import { PageFrame } from '../../parts/page-frame'

export function AuditLogPage() {
  return <PageFrame title="Audit log">{null}</PageFrame>
}
