"""Writes the files of the gallery with real software: see README.md."""

import gzip
import io
import pathlib
import sqlite3
import subprocess
import tempfile
import wave
import zipfile

import dns.flags
import dns.message
import dns.rrset
import msgpack
import numpy
import soundfile
from google.protobuf import descriptor_pb2, struct_pb2, wrappers_pb2
from PIL import Image, PngImagePlugin
from scapy.all import ARP, ICMP, IP, TCP, UDP, Ether, IPOption_Router_Alert, IPv6, Raw, wrpcap

HERE = pathlib.Path(__file__).parent


def put(name, content):
    (HERE / name).write_bytes(content)


def png():
    image = Image.new("P", (6, 4))
    image.putpalette([255, 0, 0, 0, 255, 0, 0, 0, 255])
    image.putdata([i % 3 for i in range(24)])
    info = PngImagePlugin.PngInfo()
    info.add_text("Title", "Six by four")
    info.add_itxt("Author", "Zoë", lang="en", tkey="Author")
    out = io.BytesIO()
    image.save(out, "png", pnginfo=info, dpi=(300, 300), transparency=1)
    put("palette.png", out.getvalue())


def wav():
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setparams((2, 2, 48000, 8, "NONE", ""))
        file.writeframes(numpy.array([[i * 1000, -i * 1000] for i in range(8)], "<i2").tobytes())
    put("stereo.wav", out.getvalue())
    with soundfile.SoundFile(HERE / "mono.wav", "w", 8000, 1, subtype="PCM_U8") as file:
        file.title = "Tone"
        file.write(numpy.array([0.1, 0.5, -0.5, 0.25, 0.0]))


def value():
    content = {
        "nil": None, "yes": True, "no": False, "small": 5, "minus": -3, "u8": 200, "u16": 60000, "u32": 1 << 31,
        "u64": 1 << 63, "i8": -100, "i16": -30000, "i32": -(1 << 31), "i64": -(1 << 63), "f64": 1.5, "text": "é" * 20,
        "long": "x" * 300, "bytes": b"\0\1\2", "list": list(range(20)), "ext": msgpack.ExtType(7, b"abcd"),
        "ext8": msgpack.ExtType(8, b"abcde"), "time": msgpack.Timestamp(1700000000, 5), "deep": [[], {}, [{"a": [1]}]],
        3: 4, "big map": {i: i for i in range(16)},
    }
    put("value.msgpack", msgpack.packb(content))
    put("float.msgpack", msgpack.packb([1.5, -0.0], use_single_float=True))


def protobuf():
    file = descriptor_pb2.FileDescriptorProto(name="point.proto", package="demo", syntax="proto3")
    point = file.message_type.add(name="Point")
    for number, name in enumerate(["x", "y"], 1):
        kind = descriptor_pb2.FieldDescriptorProto.TYPE_SINT32
        point.field.add(name=name, number=number, label=1, type=kind)
    file.options.java_package = "demo"
    file.source_code_info.location.add(path=[4, 0], span=[2, 0, 300])
    put("point.protobuf", file.SerializeToString())
    struct = struct_pb2.Struct()
    struct.update({"a": 1.5, "b": [True, None, "text"], "c": {"d": -2}})
    put("struct.protobuf", struct.SerializeToString(deterministic=True))
    put("minus.protobuf", wrappers_pb2.Int64Value(value=-1).SerializeToString())
    put("float.protobuf", wrappers_pb2.FloatValue(value=1.5).SerializeToString())


def query():
    return dns.message.make_query("www.example.com", "A", id=0xDB42, use_edns=0, payload=1232)


def names():
    put("query.dns", query().to_wire())
    response = dns.message.make_response(query())
    response.flags |= dns.flags.RA | dns.flags.AA
    for line in [
        "www.example.com. 600 IN CNAME ab.example.com.",
        "ab.example.com. 600 IN A 155.33.17.68",
        "ab.example.com. 600 IN AAAA 2001:db8::1",
        "example.com. 60 IN MX 10 mail.example.com.",
        'example.com. 60 IN TXT "v=spf1 -all" "two"',
        "example.com. 60 IN SRV 1 2 5060 sip.example.com.",
    ]:
        name, ttl, of, kind, data = line.split(" ", 4)
        response.answer.append(dns.rrset.from_text(name, int(ttl), of, kind, data))
    numbers = "ns.example.com. root.example.com. 2024010101 7200 3600 1209600 300"
    response.authority.append(dns.rrset.from_text("example.com.", 3600, "IN", "SOA", numbers))
    response.authority.append(dns.rrset.from_text("example.com.", 3600, "IN", "NS", "ns.example.com."))
    put("response.dns", response.to_wire())


def pcap():
    ether = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
    options = [("MSS", 1460), ("SAckOK", b""), ("Timestamp", (5, 0)), ("NOP", None), ("WScale", 7)]
    a, b = "10.0.0.1", "10.0.0.2"
    packets = [
        ether / IP(src=a, dst=b, id=7) / TCP(sport=40000, dport=80, flags="S", seq=100, options=options),
        ether / IP(src=b, dst=a, id=8, flags="DF", ttl=63)
        / TCP(sport=80, dport=40000, flags="PA", seq=1, ack=101) / Raw(b"HTTP/1.1 204 No Content\r\n\r\n"),
        ether / IP(src=a, dst="10.0.0.53", options=[IPOption_Router_Alert()])
        / UDP(sport=5353, dport=53) / Raw(query().to_wire()),
        ether / IP(src=a, dst=b) / ICMP(id=1, seq=1) / Raw(b"ping"),
        Ether(src="02:00:00:00:00:01", dst="ff:ff:ff:ff:ff:ff")
        / ARP(pdst=b, psrc=a, hwsrc="02:00:00:00:00:01") / Raw(bytes(18)),
        ether / IPv6(src="2001:db8::1", dst="2001:db8::2") / TCP(dport=443),
    ]
    for i, packet in enumerate(packets):
        packet.time = 1700000000 + i / 8
    wrpcap(str(HERE / "packets.pcap"), packets)


def disk(name, blocks, *commands):
    with tempfile.TemporaryDirectory() as folder:
        image = pathlib.Path(folder) / "disk"
        image.write_bytes(bytes(512 * blocks))
        for command, text in commands:
            subprocess.run([*command, image], input=text, text=True, check=True, stdout=subprocess.DEVNULL)
        put(name, gzip.compress(image.read_bytes(), mtime=0))


def disks():
    table = "label: dos\nlabel-id: 0x12345678\nstart=8, size=16, type=c, bootable\nstart=24, size=40, type=83\n"
    disk("mbr.img.gz", 64, (["sfdisk", "-q"], table))
    first = ["-n", "1:34:40", "-t", "1:ef00", "-c", "1:EFI system", "-u", "1:AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE"]
    second = ["-n", "2:41:60", "-t", "2:8300", "-c", "2:Linux", "-u", "2:AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEF"]
    own = ["sgdisk", "-a1", "-U", "11111111-2222-3333-4444-555555555555", *first, *second]
    disk("gpt.img.gz", 100, (["sgdisk", "-o", "-S", "4"], None), (own, None))


def elf():
    source = "const char text[] = \"hello\"; long counter = 7; char room[64]; void _start(void) { room[0] = text[counter & 3]; for (;;) {} }"
    pages = "-Wl,-z,max-page-size=512,-z,common-page-size=512,-z,noseparate-code,--build-id=none"
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "tiny"
        flags = ["-Os", "-nostdlib", "-static", "-fno-asynchronous-unwind-tables", pages]
        subprocess.run(["gcc", *flags, "-x", "c", "-", "-o", program], input=source, text=True, check=True)
        put("tiny.elf", program.read_bytes())


class Pipe(io.BytesIO):
    """What cannot seek: sizes then come after the data."""

    def seekable(self):
        return False

    def tell(self):
        raise io.UnsupportedOperation


def archive():
    for name, out in [("files.zip", io.BytesIO()), ("streamed.zip", Pipe())]:
        with zipfile.ZipFile(out, "w") as file:
            for path, content, method in [("a.txt", b"stored", 0), ("dir/", b"", 0), ("dir/b.txt", b"packed " * 40, 8)]:
                info = zipfile.ZipInfo(path, (2024, 1, 2, 3, 4, 6))
                info.compress_type = method
                info.comment = b"the first" if path == "a.txt" else b""
                file.writestr(info, content)
        put(name, out.getvalue())


def database(name, num):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "db"
        db = sqlite3.connect(path)
        db.executescript("""PRAGMA page_size = 512;
            CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT, people INTEGER, share REAL, flag BLOB);
            CREATE INDEX by_name ON town (name);""")
        rows = [(f"town {i:02}", 7 ** (i % 20) * (1 - i % 3), i / 7 if i % 4 else None, b"\0\xff" * (i % 3)) for i in range(num)]
        db.executemany("INSERT INTO town (name, people, share, flag) VALUES (?, ?, ?, ?)", rows)
        db.execute("DELETE FROM town WHERE id = 2")
        db.commit()
        db.close()
        put(name, path.read_bytes())


def databases():
    database("few.sqlite", 4)
    database("towns.sqlite", 32)


for write in [png, wav, value, protobuf, names, pcap, disks, elf, archive, databases]:
    write()
