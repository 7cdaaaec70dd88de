// What the views of jobs say.
export const enJob = {
  'job.documentTitle': '{name}',
  'job.views': 'Views of this crawl',
  'job.gone': 'This crawl is not here',
  'job.goneText': '{id} was removed, or never existed.',
  'job.next': 'Starts next, as soon as another crawl is done.',
  'job.ahead': { one: '{n} crawl starts before it.', other: '{n} crawls start before it.' },
  'tab.job': 'Overview',
  'tab.pages': 'Pages',
  'tab.map': 'Page map',
  'tab.sites': 'Site map',
  'tab.search': 'Search',
  'confirm.stop': 'Stop {id}?',
  'confirm.stopText':
    'What is under way is finished and kept ({n} pages so far). It can be resumed later.',
  'confirm.remove': 'Remove {id}?',
  'confirm.removeText':
    'The crawl and all it stored ({n} pages) are deleted. This cannot be undone.',
} as const
