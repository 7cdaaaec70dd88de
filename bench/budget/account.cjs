// Loaded by every process and thread of a measured crawl: writes down its processor time when it ends.
const { readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { threadId, isMainThread } = require('node:worker_threads')

const TICK_US = 10_000

/** Time of the threads that run now, by name. */
function byName() {
  const sums = {}
  for (const task of readdirSync('/proc/self/task')) {
    const stat = readFileSync(`/proc/self/task/${task}/stat`, 'latin1')
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    sums[name] = (sums[name] ?? 0) + TICK_US * (Number(fields[11]) + Number(fields[12]))
  }
  return sums
}

process.once('exit', () => {
  const folder = process.env.BENCH_ACCOUNTS
  if (folder === undefined) return
  const all = process.cpuUsage()
  const own = process.threadCpuUsage()
  const account = {
    program: process.argv[1] ?? '',
    pid: process.pid,
    thread: isMainThread ? 0 : threadId,
    processUs: all.user + all.system,
    threadUs: own.user + own.system,
    threads: isMainThread ? byName() : {},
  }
  writeFileSync(`${folder}/account.${process.pid}.${account.thread}.json`, JSON.stringify(account))
})
