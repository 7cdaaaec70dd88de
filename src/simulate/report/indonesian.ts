import type { Words } from './words.ts'

export const indonesian: Words = {
  decimalMark: ',',
  groupMark: '.',
  title: 'Perbandingan urutan perayapan',
  figure: 'Gambar',
  table: 'Tabel',
  ordering: 'urutan',
  hostPolicy: 'kebijakan host',
  ideal: 'ideal',
  random: 'acak',
  legend: 'Urutan, yang terbaik lebih dahulu',
  axisShare: 'halaman terjangkau yang sudah diambil, %',
  axisHours: 'jam virtual',
  perTopic: 'per topik',
  reproduce: 'Ulangi dengan',
  referencesNote:
    'Abu-abu: “ideal” mengambil halaman terbaik lebih dahulu seakan-akan semuanya sudah diketahui, “acak” mengambil sembarang halaman.',
  charts: {
    harvest: {
      title: 'Laju panen',
      axis: 'halaman relevan di antara yang sudah diambil, %',
      what: 'Berapa banyak dari halaman yang sudah diambil ternyata relevan. Semua kurva akhirnya turun karena halaman relevan makin habis.',
    },
    recall: {
      title: 'Perolehan (recall)',
      axis: 'halaman relevan yang ditemukan, %',
      what: 'Berapa banyak dari semua halaman relevan yang terjangkau sudah diambil.',
    },
    ofIdeal: {
      title: 'Halaman relevan dibanding yang ideal',
      axis: 'dari yang mungkin dicapai, %',
      what: 'Halaman relevan yang diambil, dibagi jumlah terbanyak yang mungkin didapat dengan pengambilan sebanyak itu. Tinggi rata-rata kurva sampai 20 % adalah nAUC20.',
    },
    relevantHosts: {
      title: 'Host dengan halaman relevan',
      axis: 'host',
      what: 'Host yang sedikitnya satu halaman relevannya sudah diambil: keluasan pada topik, sebab laju panen saja juga menghargai perayap yang menetap di satu situs.',
    },
    pagerankSum: {
      title: 'PageRank yang terkumpul',
      axis: 'dari PageRank semua halaman terjangkau, %',
      what: 'PageRank sebenarnya, dihitung pada seluruh graf, dari halaman yang sudah diambil.',
    },
    stPagerank: {
      title: 'Halaman penting yang ditemukan (P_ST)',
      axis: 'halaman penting yang diambil, %',
      what: 'Berapa banyak halaman penting yang sudah diambil; penting berarti 1 % teratas menurut PageRank sebenarnya (crawl and stop dengan ambang, menurut Cho, Garcia-Molina, dan Page).',
    },
    jain: {
      title: 'Pemerataan antarsitus',
      axis: 'indeks Jain',
      what: 'Seberapa merata pengambilan sejauh ini tersebar pada semua situs yang terjangkau: 1 berarti sama banyak dari tiap situs, mendekati 0 berarti semuanya dari satu situs.',
    },
  },
  overHours: (title) => `${title} menurut waktu`,
  overHoursNote:
    'Lingkaran menandai kapan anggaran sebuah urutan habis, rata-rata semua topik; sesudah itu garisnya mendatar.',
  leadTitle: (lead) => `${lead} tiap urutan`,
  leadWhat: 'Batang: rata-rata semua topik. Tiap lingkaran adalah satu topik.',
  leadNames: { nauc20: 'nAUC20', other: (name, at) => `${name} pada ${at}` },
  naucWhat:
    'nAUC20 adalah rata-rata, pada 20 % pengambilan pertama, dari halaman relevan yang diambil dibagi jumlah terbanyak yang mungkin; 100 berarti sempurna.',
  multiplesTitle: (title) => `${title}, per topik`,
  multiplesWhat: 'Warna dan putus-putus seperti di atas; tiga yang terbaik digambar lebih tebal.',
  relevantPages: (count) => `${count} relevan`,
  winsTitle: 'Siapa mengungguli siapa',
  winsWhat: (lead, topics) =>
    `Pada berapa dari ${topics} topik urutan pada baris mencapai ${lead} lebih tinggi daripada urutan pada kolom. Topik lebih banyak berbeda daripada urutan, maka perbandingan inilah yang adil.`,
  winsHead: 'mengungguli',
  tables: {
    relevance: 'Relevansi',
    importance: 'Kepentingan',
    spread: 'Pemerataan antarsitus',
    what: 'Rata-rata semua topik, dalam persen bila tidak disebut lain; yang terbaik di tiap kolom dicetak tebal.',
    nauc: 'nAUC20',
    deviation: '± sb',
    hosts: 'Host',
    fairness: 'Jain',
    entropy: 'Entropi',
  },
  verdict: (best, lead, value) => `${best} menempati urutan pertama: ${lead} ${value}.`,
  beats: (other, wins, topics, difference) =>
    `Ia mengungguli ${other} pada ${wins} dari ${topics} topik, dengan selisih rata-rata ${difference} poin.`,
  facts: {
    web: 'Web',
    pages: 'Ukuran',
    reachable: (pages, hosts, sites) =>
      `${pages} halaman terjangkau, ${hosts} host, ${sites} situs`,
    topics: 'Topik',
    budget: 'Anggaran',
    budgetShare: (share) => `${share} dari halaman terjangkau`,
    seeds: 'Benih acak',
    politeness: 'Kesantunan',
    noDelay: 'tanpa jeda',
    delay: (ms) => `${ms} ms antara permintaan ke satu host (waktu virtual)`,
    made: 'Dibuat oleh',
    judges: {
      truth:
        'Dinilai menurut kebenaran yang diketahui; halaman contoh tidak dihitung dalam relevansi.',
      crawl:
        'Yang relevan adalah yang disebut panas oleh perayapan itu sendiri; tidak ada orang yang ditanya. Halaman contoh tidak dihitung.',
      topic:
        'Dinilai sendiri: yang relevan adalah yang disebut panas oleh topik itu, jadi urutan terfokus dinilai oleh pemandunya sendiri. Halaman contoh tidak dihitung.',
      nobody: 'Relevansi tidak dinilai.',
    },
  },
  setting: ({ web, pages, hosts, topics, seeds, budget, delay, judge }) =>
    `${topics === 1 ? 'Satu topik' : `Rata-rata ${topics} topik`}; benih acak: ${seeds}. Web: ${web}, ${pages} halaman terjangkau pada ${hosts} host; anggaran ${budget} darinya; ${delay}. ${judge}`,
}
