// The host policies. Help, settings and tests read this list; nothing else names one.
import { InvalidInput } from '../../core/errors.ts'
import { best } from './best.ts'
import { fair } from './fair.ts'
import type { HostPolicy } from './host-policy.ts'
import { largest } from './largest.ts'

export const HOST_POLICY_LIST: readonly HostPolicy[] = [fair, largest, best]

export function hostPolicyNamed(name: string): HostPolicy {
  const found = HOST_POLICY_LIST.find((policy) => policy.name === name)
  if (found) return found
  const names = HOST_POLICY_LIST.map((policy) => policy.name).join(', ')
  throw new InvalidInput('hostPolicy', `there is no host policy "${name}"; choose one of: ${names}`)
}
