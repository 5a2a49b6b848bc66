import { findInstalled } from '../services/programs/find-installed.js'
import { installDebianPackage } from '../services/programs/install-debian-package.js'
import { unpackDebianPackage } from '../services/programs/unpack-debian-package.js'
import { type WantedProgram, wantedPrograms } from '../services/programs/wanted-programs.js'

/** Returns a program of the distribution that checks a deployment file. */
function ofDebian(program: string, packageName: string, versionArgument = '--version'): WantedProgram {
  const find = findInstalled([program], { folders: ['/usr/sbin'] })
  return {
    title: program,
    setting: '',
    probe: program,
    versionArgument,
    isServer: false,
    ways: [find, unpackDebianPackage(packageName, [program]), installDebianPackage(packageName, find)],
    advice: `install it (Debian's package ${packageName} has it)`,
  }
}

/** The programs that check deployment files. */
export const deployPrograms = {
  nginx: wantedPrograms.nginx,
  caddy: wantedPrograms.caddy,
  promtool: ofDebian('promtool', 'prometheus'),
  systemdAnalyze: ofDebian('systemd-analyze', 'systemd'),
  go: ofDebian('go', 'golang-go', 'version'),
}
