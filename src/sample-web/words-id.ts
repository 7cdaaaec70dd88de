// The Indonesian of the sample web, in the same form as the English; 64 adjectives and 64 nouns.
import type { Vocabulary } from './vocabulary.ts'

const list = (text: string): readonly string[] => text.split(/\s*,\s*/)

export const INDONESIAN: Vocabulary = {
  language: 'id',
  adjectives: list(
    'ringan,tenang,hangat,segar,lembut,cerah,kuat,kecil,besar,panjang,pendek,baru,lama,muda,tua,bersih,' +
      'murah,mahal,cepat,lambat,mudah,sulit,dalam,dangkal,tinggi,rendah,lebar,sempit,ramai,sepi,jernih,keruh,' +
      'manis,pahit,asin,gurih,kering,basah,dingin,panas,halus,kasar,padat,longgar,utama,sederhana,teratur,terbuka,' +
      'tertutup,bersama,mandiri,setia,ramah,tegas,sabar,cermat,teliti,hemat,jujur,luas,rapi,wajar,aman,nyaman',
  ),
  nouns: list(
    'langkah,pagi,malam,musim,jalan,rumah,kebun,sungai,gunung,pasar,kota,desa,pulau,pantai,hutan,sawah,' +
      'jendela,meja,kursi,buku,surat,kabar,cerita,catatan,panduan,rencana,kebiasaan,pilihan,waktu,hari,minggu,tahun,' +
      'keluarga,teman,tetangga,guru,petani,nelayan,pedagang,warga,anak,ibu,ayah,suara,warna,cahaya,bayangan,angin,' +
      'hujan,tanah,batu,kayu,air,api,benang,kain,roda,perahu,jembatan,menara,taman,halaman,dapur,teras',
  ),
  places: list(
    'Bandung,Surabaya,Makassar,Malang,Padang,Solo,Ambon,Kupang,Pontianak,Mataram,Yogyakarta,Medan,Manado,Cirebon',
  ),
  times: list(
    'musim lalu,dua tahun silam,sebelum hujan turun,pada akhir bulan,tahun ini,pada hari Minggu,' +
      'selama liburan,di pekan pertama,sesudah panen,menjelang malam,sepanjang musim,setiap Jumat',
  ),
  names: list(
    'Sari Wibowo,Bagus Santoso,Maya Putri,Dewi Lestari,Agus Pranoto,Nadia Rahman,Ratna Sihombing,Budi Hartono,' +
      'Wayan Suarta,Lina Kusuma,Hasan Basri,Yohana Tobing',
  ),
  titles: [
    '{T}: {n} {A} dan {m} {B}',
    '{T}, {n} {A}, dan {m} {B}',
    '{N} {A} untuk {t} di {m} {B}',
    'Apa kata {n} {A} tentang {t} dan {m} {B}',
    'Dari {n} {A} ke {m} {B}: {t}',
  ],
  sentences: [
    '{P} {v} {t} di dekat {place} {w}.',
    'Banyak yang bertanya tentang {t}, padahal {t} sama pentingnya.',
    'Setelah {num} minggu, {t} menjadi bagian dari {n} yang {a}.',
    'Di {place}, {p} {v} {t} tanpa {n} sama sekali.',
    'Tidak ada aturan yang {a} untuk {t}: yang perlu hanya {n} dan sedikit waktu.',
    'Semua bermula dari {n} yang {a} dan pertanyaan tentang {t}.',
    '{P} {v} {t}, lalu {v} {t} sekali lagi {w}.',
    'Bagian yang {a} jarang terletak pada {t}; lebih sering pada {n} di sekitarnya.',
    'Dari {num} jawaban, hanya sedikit yang menyebut {t} sebagai sebab.',
    'Dengan {n} seperti ini, {t} tampak {a} dan {t} tampak {a}.',
    'Ketika {t} sampai di {place}, tidak ada yang menduga {n} begitu {a}.',
    'Kami bertanya kepada {p} mengapa {t} masih memerlukan {n} yang {a}.',
    'Harga {t} sekitar {num} ribu rupiah di {place}, dan lebih {a} {w}.',
    'Di antara {t} dan {t} ada {n} {a} yang jarang terlihat.',
    '"Tidak ada yang {v} {t} sebaik {n} saya," kata {name}.',
    '{name} menyimpan {n} yang {a} di samping {t} dan mencatat semuanya.',
    'Yang dilihat {p} {w} bukan {t}, melainkan {n} yang {a}.',
    'Maka {t} tetap ada, {n} berubah, dan {p} menunggu {n} yang {a}.',
    'Jika {t} gagal, {n} yang {a} cukup sampai {p} datang.',
    'Setiap {n} di {place} punya cara sendiri untuk {t}.',
    'Laporan itu mencatat {num} kasus ketika {p} {v} {t} {w}.',
    'Dilihat dari {n}, {t} adalah hal yang {a} dan mudah dilupakan.',
    'Itulah sebabnya {p} {v} {t} lebih dahulu, baru kemudian {n}.',
    'Kemudian {n} yang {a} dipindahkan, dan bersamanya {t}.',
  ],
  accented:
    'Di kafé dekat jalan Zürich, crème brûlée disajikan hangat, dan pelayannya berkata bahwa resepnya sangat naïf.',
  labels: {
    home: 'Beranda',
    about: 'Tentang situs ini',
    related: 'Terkait',
    next: 'Berikutnya',
    previous: 'Sebelumnya',
    search: 'Cari',
    readMore: 'Selengkapnya',
    partners: 'Situs lain',
    comments: 'Komentar',
    contents: 'Daftar isi',
    reply: 'Balas',
    price: 'Harga',
    buy: 'Masukkan ke keranjang',
    mail: 'Alamat surel Anda',
    old: 'Versi lama halaman ini',
    broken: 'Halaman yang dulu ada',
    print: 'Versi cetak',
    private: 'Khusus anggota',
    login: 'Masuk untuk berkomentar',
    file: 'Unduh',
    data: 'Angka di balik halaman ini',
    by: 'Oleh',
  },
  folders: {
    old: 'lama',
    broken: 'warta',
    print: 'cetak',
    private: 'pribadi',
    login: 'akun',
    file: 'berkas',
    data: 'angka',
    orphan: 'arsip',
  },
  topics: [
    {
      name: 'health',
      title: 'Kesehatan',
      sections: list('gizi,klinik,kebugaran,pencegahan,obat,kesehatan-keluarga,penyakit,tidur'),
      nouns: list(
        'tekanan darah,detak jantung,vaksin,vitamin,pola makan,jam tidur,kunjungan klinik,gejala,pengobatan,' +
          'demam,senam pagi,gula darah,kesehatan paru,daya tahan tubuh,masa pemulihan,pemeriksaan',
      ),
      verbs: list('mengukur,mengobati,mencegah,memantau,memeriksa,menjelaskan,meneliti,menurunkan'),
      people: list('dokter,perawat,pasien,bidan,peneliti,apoteker'),
    },
    {
      name: 'travel',
      title: 'Wisata',
      sections: list(
        'tujuan,kepulauan,rute,penginapan,jalan-kota,pendakian,rencana-jalan,angkutan',
      ),
      nouns: list(
        'kapal penyeberangan,kereta malam,rumah singgah,jalur pendakian,tepi pelabuhan,kunjungan candi,rute pulau,' +
          'terminal bus,izin masuk,sepeda sewaan,matahari terbit,ransel,kota tua,jalan pesisir,tiket,peta',
      ),
      verbs: list(
        'mencapai,memesan,melintasi,menjelajahi,melewatkan,memotret,menyarankan,merancang',
      ),
      people: list('pelancong,pemandu,porter,pendaki,sopir,tuan rumah'),
    },
    {
      name: 'technology',
      title: 'Teknologi',
      sections: list(
        'perangkat-lunak,gawai,jaringan,keamanan,basis-data,sumber-terbuka,riset,rintisan',
      ),
      nouns: list(
        'indeks basis data,kabel jaringan,mesin pencari,kompilator,baterai ponsel,sensor,perayap web,tembolok,' +
          'antrean pesan,papan ketik,sistem operasi,pusat data,jaringan saraf,kata sandi,cadangan,protokol',
      ),
      verbs: list(
        'menyusun,memasang,mengukur,memperbaiki,mengenkripsi,mengganti,menguji,mengindeks',
      ),
      people: list('insinyur,mahasiswa,operator,perancang,pemelihara,analis'),
    },
    {
      name: 'food',
      title: 'Kuliner',
      sections: list('resep,jajanan,kue,rempah,rumah-makan,sarapan,sayuran,minuman'),
      nouns: list(
        'bumbu kacang,lontong,sambal,santan,soto mi,roti,ikan bakar,daun jeruk,' +
          'tempe goreng,kaldu sayur,gula aren,wedang jahe,martabak,acar,kopi sangrai,daun pisang',
      ),
      verbs: list('memasak,membumbui,mencicipi,membakar,menyajikan,mengukus,mengiris,meragikan'),
      people: list('juru masak,pembuat kue,penjual,tamu,petani,penikmat'),
    },
    {
      name: 'football',
      title: 'Sepak Bola',
      sections: list('liga,jadwal,bursa,taktik,tim-muda,stadion,wawancara,piala'),
      nouns: list(
        'tendangan penalti,lini tengah,penjaga gawang,klasemen,bendera sudut,bursa pemain,laga tandang,garis luar,' +
          'tim muda,lapangan latihan,babak kedua,tendangan bebas,kejuaraan,laporan wasit,serangan balik,perebutan gelar',
      ),
      verbs: list('memenangi,mempertahankan,mencetak,mengulas,melepas,melatih,menunda,menonton'),
      people: list('pelatih,penyerang,pendukung,wasit,pemain belakang,pencari bakat'),
    },
    {
      name: 'finance',
      title: 'Keuangan',
      sections: list('pasar-modal,tabungan,perbankan,pajak,usaha-kecil,asuransi,harga,investasi'),
      nouns: list(
        'suku bunga,buku tabungan,formulir pajak,lapak pasar,pinjaman,nilai tukar,anggaran rumah,obligasi,' +
          'klaim asuransi,buku kas,faktur,harga saham,dana pensiun,angka inflasi,dividen,biaya bank',
      ),
      verbs: list(
        'menghitung,melunasi,menanam,mengaudit,menaksir,menaikkan,membandingkan,melaporkan',
      ),
      people: list('penabung,bankir,akuntan,pedagang,ekonom,juru tulis'),
    },
    {
      name: 'environment',
      title: 'Lingkungan',
      sections: list('iklim,satwa,sungai-kita,energi,daur-ulang,kehutanan,laut,pertanian'),
      nouns: list(
        'hutan bakau,delta sungai,panel surya,terumbu karang,curah hujan,lahan gambut,sensus burung,bank sampah,' +
          'kincir angin,tanggul banjir,pembibitan pohon,air tanah,mutu udara,pupuk kompos,padang lamun,angka karbon',
      ),
      verbs: list(
        'menanam,memetakan,melindungi,mencuplik,memulihkan,menghitung,membersihkan,mengamati',
      ),
      people: list('penjaga hutan,ahli biologi,relawan,warga desa,nelayan,rimbawan'),
    },
    {
      name: 'education',
      title: 'Pendidikan',
      sections: list('sekolah,kampus,pengajaran,bahasa,ujian,perpustakaan,beasiswa,bacaan'),
      nouns: list(
        'daftar bacaan,ruang kelas,soal ujian,beasiswa,pelajaran tata bahasa,kartu perpustakaan,kebun sekolah,kuliah,' +
          'tugas rumah,pameran sains,papan abjad,kursus bahasa,skripsi,buku tulis,soal hitungan,kelompok belajar',
      ),
      verbs: list(
        'mengajarkan,menilai,menerjemahkan,menerangkan,mengulang,membaca,mempelajari,memaparkan',
      ),
      people: list('guru,murid,orang tua,dosen,pustakawan,pembimbing'),
    },
  ],
}
